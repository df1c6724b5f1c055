function double(number) {
  return number * 2;
}

onmessage = (event) => postMessage(double(event.data));
