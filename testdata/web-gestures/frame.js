const button = document.getElementById('inside');

function press() {
  button.textContent = location.hostname === 'localhost' ? 'far pressed' : 'near pressed';
}

button.textContent = location.hostname === 'localhost' ? 'far' : 'near';
button.addEventListener('click', press);
