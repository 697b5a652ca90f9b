import type { VidError } from '@vid/protocol'
import { lastWords } from '../engine/engine-call.ts'
import { type Engine, engineTrouble } from '../engine/find-engine.ts'
import { fail } from '../errors.ts'
import type { Image } from '../image/image.ts'
import type { ContainerEnd } from './follow.ts'

/** The error of a container that ended without an answer. */
export const errorOfEnd = (
  { program }: Engine,
  image: Image,
  { exit, stderr, hasAnswered }: ContainerEnd,
): VidError => {
  const reason = stderr.trim() === '' ? '' : lastWords(stderr)
  // Whatever the engine says of one that ran, such as when its monitor was killed, it had started.
  if (hasAnswered) return fail('VID_CONTAINER_ENDED', { exit: String(exit), reason })
  if (/exec format error/i.test(stderr))
    return fail('VID_CONTAINER_ARCHITECTURE', { image: image.reference, found: image.platform })
  if (/cannot connect|is the docker daemon running|permission denied.*sock/i.test(stderr))
    return engineTrouble(program, stderr)
  // The code by which engines say that they, not the container, have failed; and two for a program that does not start.
  if (exit === 125 || exit === 126 || exit === 127 || exit === 'not started')
    return fail('VID_CONTAINER_NOT_STARTED', { program, reason: reason || 'it says nothing' })
  return fail('VID_CONTAINER_ENDED', { exit: String(exit), reason })
}
