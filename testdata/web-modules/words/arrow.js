export const word = 'arrow';
