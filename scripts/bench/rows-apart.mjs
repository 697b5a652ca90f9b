// Renders the rows of a batch one after another, nothing beside them, and prints the stages of each: a child of batch-rows.mjs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '@vid/config'
import { createKernel, createPool, render } from '@vid/kernel'
import { standard } from '@vid/preset-standard'

const [projectDir, rowsFile, folder, quality] = process.argv.slice(2)
const { setup, render: settings } = await loadConfig({
  from: [projectDir],
  builtin: [standard()],
  env: process.env,
  flags: { cache: false, quality },
})
const kernel = createKernel(setup)
const shared = createPool()
for (const variables of JSON.parse(readFileSync(rowsFile, 'utf8'))) {
  let stage
  const onEvent = (event) => {
    if (event.type !== 'render-progress' || event.stage === stage) return
    stage = event.stage
    console.log(stage)
  }
  const { preset: _, ...given } = settings
  const request = { ...given, projectDir, format: 'mp4', output: join(folder, 'apart.mp4'), variables }
  await render(kernel, request, { shared, onEvent })
}
await shared.close()
