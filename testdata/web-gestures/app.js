const find = (id) => document.getElementById(id);
const say = (text) => { find('said').textContent = text; };

const pad = find('pad');
let holding = 0;
let from = 0;
pad.addEventListener('mousedown', (event) => {
  from = event.clientX;
  holding = setTimeout(held, 500);
});
addEventListener('mouseup', (event) => {
  clearTimeout(holding);
  if (event.clientX < from - 100) swiped('left');
  else if (event.clientX > from + 100) swiped('right');
});
pad.addEventListener('dblclick', doubled);

function held() {
  say('held');
}

function doubled() {
  say('doubled');
}

function swiped(side) {
  say(`swiped ${side}`);
}

for (const mode of ['open', 'closed']) {
  customElements.define(`${mode}-box`, class extends HTMLElement {
    constructor() {
      super();
      const button = document.createElement('button');
      button.textContent = `In the ${mode} box`;
      button.addEventListener('click', () => say(`${mode} box pressed`));
      this.attachShadow({ mode }).append(button);
    }
  });
}

find('choose').addEventListener('click', () => find('file').click());
find('file').addEventListener('cancel', () => say('no file'));
find('file').addEventListener('change', () => say('a file'));

find('work').addEventListener('click', () => {
  const worker = new Worker('worker.js');
  worker.onmessage = (event) => say(`worked out ${event.data}`);
  worker.postMessage(21);
});

find('evaluate').addEventListener('click', () => {
  const add = new Function('a', 'b', 'return a > 1 ? a + b : b');
  say(`evaluated ${add(2, 3)}`);
});

find('far').src = `http://localhost:${location.port}/frame.html`;
