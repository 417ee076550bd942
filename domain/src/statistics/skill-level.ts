/**
 * Probability by luck below which an alpha is called skill. It lies below the 5% that a verdict may be wrong
 * in: among few rows with long memories the tests find a little more than their level says (decision 0510).
 */
export const SKILL_LEVEL = 0.03;
