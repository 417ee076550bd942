import { CornerDownRight } from 'lucide-react';

/** The way to a block of the strategy as it stands in the editor; null where it is not there any more. */
export type Jump = (nodeId: string) => (() => void) | null;

/** One change in words; where its block is still there, the words lead to it. */
export function ChangeText({ text, onJump }: { text: string; onJump: (() => void) | null }) {
  if (onJump === null) return text;
  return (
    <button
      type="button"
      title="Show the block in the tree"
      onClick={onJump}
      className="group/jump rounded-sm text-left align-top underline decoration-dotted underline-offset-4 hover:text-accent"
    >
      {text}
      <CornerDownRight
        size={13}
        aria-hidden
        className="ml-1 inline text-faint group-hover/jump:text-accent"
      />
    </button>
  );
}
