// One environment of the function: loads the package in the folder that it stands in, and answers events by messages.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const FUNCTION_MS = 900_000

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
