export const button = (word) => {
  const button = document.createElement('button');
  button.textContent = word;
  document.getElementById('bar').append(button);
};
