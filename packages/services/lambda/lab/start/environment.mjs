// One environment of the function: loads the package in the folder that it stands in, and answers events by messages.
// Its argument is the number of processors that the function is to see.
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const FUNCTION_MS = 900_000

const processors = Number(process.argv[2] ?? 0)
if (processors > 0) {
  // All of them idle: the function starts as many workers as it ever would.
  const times = () => ({ user: 0, nice: 0, sys: 0, irq: 0, idle: performance.now() })
  os.availableParallelism = () => processors
  os.cpus = () => Array.from({ length: processors }, () => ({ model: 'none', speed: 0, times: times() }))
  syncBuiltinESMExports()
}
const { handler } = await import(pathToFileURL(join(process.cwd(), 'index.mjs')).href)
process.send({ readyMs: process.uptime() * 1000 })
process.on('message', async ({ id, event }) => {
  const endsMs = Date.now() + FUNCTION_MS
  const context = { awsRequestId: id, getRemainingTimeInMillis: () => endsMs - Date.now() }
  const startedMs = performance.now()
  const reply = await handler(event, context).then(
    (result) => ({ result }),
    ({ name, message }) => ({ failure: { name, message } }),
  )
  process.send({ id, ms: performance.now() - startedMs, ...reply })
})
