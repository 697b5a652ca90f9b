import { defineTarget, type EncodedFile } from '@vid/kernel'

/** Renders one segment after the other in this process. */
export default defineTarget({
  name: '@vid/target-template',
  async run(plan, { signal, renderSegment, join }) {
    const files: EncodedFile[] = []
    for (const { index } of plan.segments) files.push(await renderSegment(index, signal))
    return join(files)
  },
})
