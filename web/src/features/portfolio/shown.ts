/** A strategy as the page shows it. */
export interface Shown {
  readonly id: string;
  readonly name: string;
  readonly isFollowed: boolean;
}
