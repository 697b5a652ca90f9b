// Asks two servers for their health all the time, and reports how long their answers took: node health.mjs URL CONTROL.
import { Agent, get } from 'node:http'

const PAUSE_MS = 20
const agents = new Map()

const ask = (url) =>
  new Promise((resolve) => {
    if (!agents.has(url)) agents.set(url, new Agent({ keepAlive: true, maxSockets: 1 }))
    const startedMs = performance.now()
    const over = (isOk) => resolve({ ms: performance.now() - startedMs, isOk })
    get(`${url}/health`, { agent: agents.get(url) }, (response) => {
      response.resume()
      response.on('end', () => over(response.statusCode === 200))
    }).on('error', () => over(false))
  })

let isStopped = false
process.on('message', () => {
  isStopped = true
})
const sample = async (url) => {
  const times = []
  let failed = 0
  while (!isStopped) {
    const { ms, isOk } = await ask(url)
    if (isOk) times.push(ms)
    else failed += 1
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  times.sort((one, other) => one - other)
  const quantile = (share) => Math.round(10 * (times[Math.floor(share * (times.length - 1))] ?? 0)) / 10
  const slow = times.filter((ms) => ms > 100).length
  return {
    asked: times.length,
    failed,
    p50: quantile(0.5),
    p99: quantile(0.99),
    p999: quantile(0.999),
    max: quantile(1),
    over100: slow,
  }
}
const [server, control] = await Promise.all(process.argv.slice(2).map(sample))
process.send({ server, control })
process.disconnect()
