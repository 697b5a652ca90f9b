// Renders the rows of a batch one after another, nothing beside them, and prints when the capture of each begins and ends: a child of batch-rows.mjs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '@vid/config'
import { createKernel, createPool, definePlugin, render } from '@vid/kernel'
import { standard } from '@vid/preset-standard'

const [projectDir, rowsFile, folder, quality] = process.argv.slice(2)
const { setup, render: settings } = await loadConfig({
  from: [projectDir],
  builtin: [standard()],
  env: process.env,
  flags: { cache: false, quality },
})
// A plan is done, and the first frame is asked for.
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
  const { preset: _, ...given } = settings
  const request = { ...given, projectDir, format: 'mp4', output: join(folder, 'apart.mp4'), variables }
  await render(kernel, request, { shared, onEvent })
}
await shared.close()
