import { Trash2 } from 'lucide-react';
import { IconButton } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/classes.ts';

/**
 * The delete button of a line without a menu. Its room is always kept; it is drawn where the pointer or the
 * keyboard is.
 */
export function DeleteButton({
  label,
  isNear,
  onClick,
  className,
}: {
  label: string;
  isNear: boolean;
  onClick: () => void;
  className?: string;
}) {
  return (
    <div className={cx('flex w-7 shrink-0 items-center', className)}>
      {isNear && <IconButton icon={Trash2} label={label} size="sm" tabIndex={-1} onClick={onClick} />}
    </div>
  );
}
