import { createLucideIcon } from 'lucide-react';

// Lucide's dots are a circle each. These stand on every line of the tree, and look the same as one path.

/** As Lucide's `GripVertical`. */
export const Grip = createLucideIcon('grip-vertical', [
  ['path', { d: 'M9 5h.01M9 12h.01M9 19h.01M15 5h.01M15 12h.01M15 19h.01', strokeWidth: 4, key: 'dots' }],
]);

/** As Lucide's `MoreHorizontal`. */
export const More = createLucideIcon('ellipsis', [
  ['path', { d: 'M5 12h.01M12 12h.01M19 12h.01', strokeWidth: 4, key: 'dots' }],
]);
