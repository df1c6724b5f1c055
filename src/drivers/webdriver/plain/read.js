// Reads the page by a script alone: roles, names and states as an accessibility tree would have them,
// as far as that can be told from outside.
const most = arguments[0];
const TAGS = {
  A: 'link', ARTICLE: 'article', ASIDE: 'complementary', BUTTON: 'button', DIALOG: 'dialog', FOOTER: 'contentinfo',
  H1: 'heading', H2: 'heading', H3: 'heading', H4: 'heading', H5: 'heading', H6: 'heading', HEADER: 'banner',
  IFRAME: 'Iframe', IMG: 'image', LABEL: 'LabelText', LI: 'listitem', MAIN: 'main', NAV: 'navigation', OL: 'list',
  P: 'paragraph', SELECT: 'combobox', SUMMARY: 'DisclosureTriangle', TABLE: 'table', TD: 'cell', TEXTAREA: 'textbox',
  TH: 'columnheader', TR: 'row', UL: 'list',
};
const INPUTS = {
  button: 'button', checkbox: 'checkbox', color: 'ColorWell', date: 'Date', file: 'button', image: 'button',
  month: 'Month', number: 'spinbutton', radio: 'radio', range: 'slider', reset: 'button', search: 'searchbox',
  submit: 'button', time: 'InputTime', week: 'Week',
};
const TAPPED = ['button', 'link', 'checkbox', 'radio', 'switch', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'tab',
  'treeitem', 'option', 'combobox', 'DisclosureTriangle', 'ColorWell', 'slider', 'listbox'];
const TYPED = ['textbox', 'searchbox', 'spinbutton', 'slider', 'ColorWell', 'Date', 'InputTime', 'Month', 'Week'];
const NAMED = ['button', 'link', 'heading', 'tab', 'menuitem', 'option', 'DisclosureTriangle', 'cell', 'columnheader',
  'checkbox', 'radio', 'switch', 'treeitem'];
const TEST_IDS = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa'];
const words = (text) => (text || '').replace(/\s+/g, ' ').trim();
const roleOf = (e) => {
  const given = e.getAttribute('role');
  if (given) return given;
  if (e.tagName === 'INPUT') return INPUTS[e.type] || 'textbox';
  if (e.tagName === 'A' && !e.hasAttribute('href')) return 'generic';
  return TAGS[e.tagName] || (e.isContentEditable && !e.parentElement?.isContentEditable ? 'textbox' : 'generic');
};
const nameOf = (e, role) => {
  const by = (e.getAttribute('aria-labelledby') || '').split(/\s+/).filter(Boolean);
  const labels = by.map((id) => e.getRootNode().getElementById?.(id)?.textContent);
  const given = words(e.getAttribute('aria-label')) || words(labels.join(' '))
    || words(Array.from(e.labels || [], (label) => label.innerText).join(' ')) || words(e.alt);
  if (given) return given;
  const inside = e.tagName === 'INPUT' ? (role === 'button' ? e.value : '') : NAMED.includes(role) ? e.textContent : '';
  return words(inside) || words(e.title) || words(e.placeholder);
};
const isSeen = (e) => e.checkVisibility
  ? e.checkVisibility({ visibilityProperty: true }) : e.getClientRects().length > 0;
const widgets = [];
const elements = [];
const add = (widget, element) => {
  widgets.push(widget);
  elements.push(element);
  return widgets.length - 1;
};
const visit = (e, parent, around) => {
  if (widgets.length >= most || ['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT', 'HEAD'].includes(e.tagName)) return;
  if (e.getAttribute('aria-hidden') === 'true' || !isSeen(e)) return;
  const role = roleOf(e);
  const testId = TEST_IDS.map((key) => e.getAttribute(key)).find(Boolean);
  const clicks = typeof e.onclick === 'function';
  let here = parent;
  let name = around;
  if (!['none', 'presentation', 'generic'].includes(role) || testId || clicks) {
    name = nameOf(e, role);
    const disabled = e.matches(':disabled') || e.getAttribute('aria-disabled') === 'true';
    const types = TYPED.includes(role) && !e.readOnly;
    const isPressed = e.getAttribute('aria-pressed') === 'true' || e.getAttribute('aria-checked') === 'true';
    here = add({
      class: role, id: testId || e.id || '', description: name, parent,
      text: e.tagName === 'SELECT' ? words(e.selectedOptions[0]?.label)
        : types ? words(e.value ?? e.textContent) : '',
      taps: !disabled && (clicks || TAPPED.includes(role)), types: types && !disabled,
      ticks: !disabled && ['checkbox', 'radio', 'switch'].includes(role),
      checked: e.checked === true || isPressed,
      selected: e.getAttribute('aria-selected') === 'true' || e.getAttribute('aria-expanded') === 'true',
      focused: e.getRootNode().activeElement === e, disabled, password: e.type === 'password',
      choices: e.tagName === 'SELECT'
        ? Array.from(e.options).filter((one) => !one.disabled).map((one) => words(one.label || one.text)) : [],
      kind: e.tagName === 'SELECT' ? 'select' : e.type === 'file' ? 'file' : '',
    }, e);
    if (e.tagName === 'SELECT' || types) return;
  }
  for (const child of (e.shadowRoot || e).childNodes) {
    if (child.nodeType === 1) visit(child, here, name);
    const text = child.nodeType === 3 ? words(child.data) : '';
    if (text && !name.includes(text)) add({ class: 'StaticText', text, parent: here }, null);
  }
};
const root = add({ class: 'RootWebArea', description: words(document.title) }, null);
if (document.body) visit(document.body, root, '');
const faults = (globalThis[Symbol.for('reduce-suite-faults')] || []).splice(0);
const history = globalThis.navigation?.currentEntry;
return { url: location.href, widgets, elements, faults, back: history ? history.index > 0 : false };
