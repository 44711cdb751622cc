// Truth has three values; the connectives are Kleene's.

export const TRUE = 1;
export const FALSE = 0;
export const UNDECIDED = 2;

export const opposite = (a) => (a === UNDECIDED ? UNDECIDED : 1 - a);
export const both = (a, b) => (a === FALSE || b === FALSE ? FALSE : a === TRUE && b === TRUE ? TRUE : UNDECIDED);
