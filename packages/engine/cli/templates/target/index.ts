import { defineTarget, type EncodedFile, isVidError } from '@vid/kernel'

const ATTEMPTS = 3

/** Renders one segment after the other in this process. */
export default defineTarget({
  name: '@vid/target-template',
  async run(plan, { signal, renderSegment, join }) {
    const attempt = async (index: number): Promise<EncodedFile> => {
      for (let left = ATTEMPTS; ; left -= 1) {
        try {
          return await renderSegment(index, { signal })
        } catch (thrown) {
          // A final error would only occur again.
          if (left === 1 || signal.aborted || (isVidError(thrown) && thrown.final)) throw thrown
        }
      }
    }
    const files: EncodedFile[] = []
    for (const { index } of plan.segments) {
      signal.throwIfAborted()
      files.push(await attempt(index))
    }
    return join(files)
  },
})
