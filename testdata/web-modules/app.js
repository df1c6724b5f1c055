const names = ['pen', 'brush', 'line', 'circle', 'star', 'arrow', 'text', 'zoom'];
await Promise.all(names.map(async (name) => {
  const part = await import(`./parts/${name}.js`);
  await part.begin();
}));
