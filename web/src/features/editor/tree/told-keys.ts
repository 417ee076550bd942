import { toldKeys } from '../../../lib/told-keys.ts';

/** Everything that the keyboard does in the tree, in popovers and in the chart, for the list of shortcuts. */
export const EDITOR_KEYS = [
  ...toldKeys('Strategy tree', [
    ['Next or previous line', 'Up Down'],
    ['Close, or to the parent', 'Left'],
    ['Open, or to the first child', 'Right'],
    ['First and last line', 'Home End'],
    ['Edit the line', 'Enter'],
    ['Choose several blocks', 'Shift+Down'],
    ['Wrap them in a group', 'Mod+G'],
    ['Move the block', 'Alt+Down'],
    ['How much depends on its numbers', 'Alt+S'],
    ['Copy', 'Mod+C'],
    ['Cut', 'Mod+X'],
    ['Paste', 'Mod+V'],
    ['Duplicate', 'Mod+D'],
    ['Delete', 'Delete'],
    ['To the next line that begins so', 'A…Z'],
    ['On an empty line: type a block in words', 'A…Z'],
  ]),
  ...toldKeys('While editing', [
    ['Keep what was entered', 'Enter'],
    ['Leave everything as it was', 'Escape'],
  ]),
  ...toldKeys('Chart', [
    ['Zoom in and out', 'Plus Minus'],
    ['Earlier and later', 'Left Right'],
    ['Show all days', '0'],
  ]),
];
