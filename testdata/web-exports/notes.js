'use strict';

const notes = [];
const find = (id) => document.getElementById(id);

/** Tells the server what is shown, so that whoever serves the page knows how it went. */
function tell() {
  const shown = notes.map((note) => (note.done ? '[x] ' : '[ ] ') + note.text);
  fetch('/state?' + encodeURIComponent(JSON.stringify([find('show').value, ...shown]))).catch(() => {});
}

function row(note) {
  const item = document.createElement('li');
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.checked = note.done;
  box.setAttribute('aria-label', 'Done: ' + note.text);
  box.addEventListener('change', () => {
    note.done = box.checked;
    show();
  });
  item.append(box, note.text);
  return item;
}

function show() {
  const all = find('show').value === 'all';
  const shown = notes.filter((note) => all || !note.done);
  find('list').replaceChildren(...shown.map(row));
  find('count').textContent = notes.length === 1 ? '1 note' : notes.length + ' notes';
  tell();
}

find('form').addEventListener('submit', (event) => {
  event.preventDefault();
  const text = find('new').value.trim();
  if (text === '') return;
  notes.push({ text, done: false });
  find('new').value = '';
  show();
});

find('show').addEventListener('change', show);

find('clear').addEventListener('click', () => {
  if (notes.length > 0 && confirm('Clear all ' + notes.length + ' notes?')) {
    notes.length = 0;
    show();
  }
});
