import type { MediaTrack, VidError } from '@vid/protocol'
import { fail } from '../errors.ts'
import type { SourceFile } from './source.ts'

/** The error of a track whose source is not, or no longer, the file that was planned. */
export const mediaChanged = ({ src, source }: Pick<MediaTrack, 'src' | 'source'>, current?: SourceFile): VidError =>
  fail('VID_MEDIA_CHANGED', { src, planned: source.digest, found: current?.digest ?? 'missing' })
