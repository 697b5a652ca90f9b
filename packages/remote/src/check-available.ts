import { isVidError } from '@vid/kernel'

/** Asks whether a server can be used. One that is away now may be back: the render waits for it. */
export const checkAvailable = async (question: () => Promise<unknown>): Promise<void> => {
  try {
    await question()
  } catch (thrown) {
    if (!(isVidError(thrown) && thrown.fault === 'machine')) throw thrown
  }
}
