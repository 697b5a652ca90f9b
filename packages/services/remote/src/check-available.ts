import { isVidError } from '@vid/protocol'

/** Checks that a server can be used. An unreachable one passes, because it may recover and the render waits for it. */
export const checkAvailable = async (question: () => Promise<unknown>): Promise<void> => {
  try {
    await question()
  } catch (thrown) {
    if (!(isVidError(thrown) && thrown.fault === 'machine')) throw thrown
  }
}
