import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/feedback.tsx';
import type { RefusedSetting } from '../../terms/terms.ts';

/**
 * Which settings of the address could not be read, so that nobody takes the usual ones for those that were
 * sent to him.
 */
export function RefusedSettings({
  refused,
  onDismiss,
}: {
  refused: readonly RefusedSetting[];
  onDismiss: () => void;
}) {
  return (
    <Notice
      kind="warning"
      action={
        <Button size="sm" onClick={onDismiss}>
          Dismiss
        </Button>
      }
    >
      <p>What the address says here could not be read, and the usual setting stands in its place:</p>
      <ul className="list-disc pl-5">
        {refused.map(({ name, value, reason }) => (
          <li key={name} className="break-words">
            <code>
              {name}={value}
            </code>
            : {reason}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
