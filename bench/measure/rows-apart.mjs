// Renders the rows of a batch one after another, nothing beside them, and prints when the capture of each begins and ends: a child of batch-rows.mjs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createKernel, createPool, definePlugin, render } from '@vid/kernel'
import { openContext, prepareRender } from '@vid/render'

const [projectDir, rowsFile, folder, quality] = process.argv.slice(2)
const {
  kernel: { setup },
  requests: [settings],
} = await prepareRender({ projectDir, format: 'mp4', quality, cache: false }, await openContext())
// A plan is done, and the first frame is requested.
const watcher = definePlugin({
  name: '@vid/bench',
  setup(hooks) {
    hooks.execute.tap({ name: '@vid/bench', stage: Number.MIN_SAFE_INTEGER }, () => console.log('execute'))
  },
})
const kernel = createKernel({ ...setup, plugins: [...(setup.plugins ?? []), watcher()] })
const shared = createPool()
for (const variables of JSON.parse(readFileSync(rowsFile, 'utf8'))) {
  const onEvent = (event) => {
    if (event.type === 'render-progress' && event.stage === 'join') console.log('join')
  }
  const request = { ...settings, output: join(folder, 'apart.mp4'), variables }
  await render(kernel, request, { shared, onEvent })
}
await shared.close()
