import { useEffect, useState } from 'preact/hooks';
import type { RecordingFile } from '../../shared/requests.ts';
import { ask } from '../model/api.ts';
import { useWorld } from '../model/state.ts';

/** The recordings of the folder, newest first. */
export function useRecordingFiles(): readonly RecordingFile[] {
  const { recording } = useWorld('work');
  const [files, setFiles] = useState<readonly RecordingFile[]>([]);
  useEffect(() => {
    void ask('recordings', {})
      .then((given) => setFiles(given.files))
      .catch(() => undefined);
  }, [recording?.state]);
  return files;
}
