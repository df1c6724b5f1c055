const find = (id) => document.getElementById(id);

function read() {
  return JSON.parse(localStorage.getItem('notes') || '[]');
}

function write(notes) {
  localStorage.setItem('notes', JSON.stringify(notes));
  draw();
}

function say(text) {
  find('status').textContent = text;
}

function isShown(note) {
  const show = find('show').value;
  if (show === 'open') {
    return !note.done;
  } else if (show === 'done') {
    return note.done;
  }
  return true;
}

function draw() {
  const list = find('list');
  list.replaceChildren();
  read().forEach((note, index) => {
    if (!isShown(note)) return;
    const item = document.createElement('li');
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = note.done;
    box.setAttribute('aria-label', note.text);
    box.addEventListener('change', () => tick(index));
    item.append(box, note.text);
    list.append(item);
  });
}

function tick(index) {
  const notes = read();
  notes[index].done = !notes[index].done;
  write(notes);
}

function add(event) {
  event.preventDefault();
  const text = find('note').value.trim();
  if (!text) {
    say('Write something first');
    return;
  }
  const notes = read();
  if (notes.some((note) => note.text === text)) {
    alert(`${text} is there already`);
    return;
  }
  find('note').value = '';
  write([...notes, { text, done: false }]);
  say(notes.length ? 'Added another note' : 'Added the first note');
}

let expert = false;

function exportNotes() {
  if (expert) {
    const notes = read();
    // Without a note there is nothing to look into.
    say(`First: ${notes[0].text}`);
  } else {
    say('Only for experts');
  }
}

function clear() {
  if (confirm('Remove all notes?')) {
    write([]);
    say('Removed');
  } else {
    say('Kept');
  }
}

function rename() {
  const name = prompt('Name of the list', 'Notes');
  if (name === null) {
    say('Not renamed');
  } else {
    document.querySelector('h1').textContent = name;
  }
}

function later() {
  say('Soon');
  setTimeout(() => say(`It is ${new Date().getFullYear()}`), 700);
}

function tip() {
  const tips = ['Be brief', 'Tick often', 'Clear rarely', 'Sleep'];
  find('more').textContent = tips[Math.floor(Math.random() * tips.length)];
  find('tip').textContent = find('more').textContent;
}

async function load() {
  const data = await (await fetch('data.json')).json();
  write(data.notes.map((text) => ({ text, done: false })));
  say(`Loaded ${data.notes.length}`);
}

if (find('form')) {
  find('form').addEventListener('submit', add);
  find('show').addEventListener('change', draw);
  find('export').addEventListener('click', exportNotes);
  find('clear').addEventListener('click', clear);
  find('rename').addEventListener('click', rename);
  find('later').addEventListener('click', later);
  find('tip').addEventListener('click', tip);
  find('load').addEventListener('click', load);
  find('choose').addEventListener('click', () => find('file').click());
  find('more').addEventListener('click', () => say('There is no more'));
  find('expert').addEventListener('click', () => {
    // The screen shows nothing of it.
    expert = !expert;
  });
  draw();
}
