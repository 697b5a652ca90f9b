// Compares a tiny render through a warm server with the same render in this process, one after the other: npm run lab -- producer-overhead.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createRenderer } from '@vid/render'
import { connect, jsonOf } from './client.mjs'
import { makePlaces, page, startServer } from './server.mjs'

const { values: flags } = parseArgs({
  options: { count: { type: 'string', default: '15' }, help: { type: 'boolean', default: false } },
})
if (flags.help) {
  console.log('npm run lab -- producer-overhead [--count 15]\n\nMedians of interleaved renders; nothing is reused.')
  process.exit()
}
const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]
const work = mkdtempSync(join(tmpdir(), 'vid-overhead-'))
const places = makePlaces(work)
const projectDir = join(places.root, 'c')
mkdirSync(projectDir)
writeFileSync(join(projectDir, 'index.html'), page('teal'))
const env = { ...process.env, VID_CACHE: 'off' }
const server = await startServer(places, ['--max-concurrent-renders', '1'], { VID_CACHE: 'off' })
const client = connect(server.url)
const renderer = await createRenderer({ cwd: places.root, env, configFrom: 'cwd', isolated: true })
const timed = async (render) => {
  const startedMs = performance.now()
  await render()
  return performance.now() - startedMs
}
const ways = {
  alone: () => renderer.render({ projectDir, output: join(work, 'alone.mp4'), force: true }),
  folder: () => client.json('POST', '/render', jsonOf({ projectDir: 'c' })),
  html: () => client.json('POST', '/render', jsonOf({ html: page('teal') })),
}
const times = { alone: [], folder: [], html: [] }
try {
  for (const render of Object.values(ways)) await render()
  for (let round = 0; round < Number(flags.count); round++)
    for (const [name, render] of Object.entries(ways)) times[name].push(await timed(render))
} finally {
  client.close()
  await renderer.close()
  server.child.kill('SIGTERM')
  await server.done
  rmSync(work, { recursive: true, force: true })
}
const alone = median(times.alone)
for (const [name, all] of Object.entries(times)) {
  const middle = median(all)
  console.log(`${name.padEnd(7)} ${middle.toFixed(0).padStart(5)} ms  ${(middle / alone).toFixed(2)} ×`)
}
