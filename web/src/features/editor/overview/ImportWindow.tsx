import { useNavigate } from 'react-router';
import { FetchedWindow, fetchedPart } from '../../../ui/fetched.tsx';

const importDialog = fetchedPart(async () => (await import('../import/ImportDialog.tsx')).ImportDialog);

/** Takes strategies from files or text; what is opened becomes a new draft. */
export function ImportWindow({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <FetchedWindow
      part={importDialog}
      props={{
        onClose,
        onOpen: (imported, origin, search) => {
          onClose();
          void navigate({ pathname: '/editor/new', search }, { state: { imported, origin } });
        },
      }}
      onFailure={onClose}
    />
  );
}
