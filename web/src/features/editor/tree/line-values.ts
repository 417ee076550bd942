/** Whether all or any of an if's conditions must hold, as lines and popovers say it. */
export const CONDITION_TYPES = [
  { value: 'allOf', label: 'All', description: 'all of the below conditions apply' },
  { value: 'anyOf', label: 'Any', description: 'any of the below conditions apply' },
] as const;
