// A way to the S3 server through which every request goes: it counts requests, and disturbs those that a test names.
import { request as send } from 'node:http'
import { listen } from './service.mjs'

const chooses = (rule, { method, path, from }) =>
  (rule.method === undefined || rule.method === method) &&
  (rule.key === undefined || new RegExp(rule.key).test(path)) &&
  (rule.from === undefined || rule.from === from)

/** Sends a body so slowly. */
const trickle = (upstream, reply, bytesPerSecond) => {
  const STEPS = 10
  upstream.pause()
  const timer = setInterval(() => {
    const part = upstream.read(Math.max(1, Math.ceil(bytesPerSecond / STEPS))) ?? upstream.read()
    if (part) reply.write(part)
    if (upstream.readableEnded || reply.destroyed) {
      clearInterval(timer)
      reply.end()
    }
  }, 1000 / STEPS)
}

const refuse = (request, reply, status, code, message) => {
  request.resume()
  reply.writeHead(status, { 'content-type': 'application/xml' })
  reply.end(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`)
}

const forward = (endpoint, request, reply, rule) => {
  const { method, url: path, headers } = request
  const { hostname: host, port } = endpoint
  const upstream = send({ host, port, method, path, headers }, (answer) => {
    reply.writeHead(answer.statusCode, answer.headers)
    if (rule?.kind === 'slow') return trickle(answer, reply, rule.bytesPerSecond)
    if (rule?.kind !== 'cut') return answer.pipe(reply)
    const length = Number(answer.headers['content-length'] ?? 0)
    let sent = 0
    answer.on('data', (chunk) => {
      const rest = Math.floor(length / 2) - sent
      sent += chunk.length
      reply.write(chunk.subarray(0, Math.max(rest, 0)), () => sent >= length / 2 && reply.destroy())
    })
    answer.on('end', () => reply.destroy())
  })
  upstream.on('error', () => reply.destroy())
  reply.on('close', () => upstream.destroy())
  request.pipe(upstream)
}

/**
 * @param {object} options
 * @param {string} options.endpoint of the S3 server
 * @param {(bucket: string, key: string, body: string) => Promise<void>} options.put writes an object in passing
 * @param {ReturnType<typeof import('./roles.mjs').createRoles>} options.roles what environments of the function may do
 */
export const createFront = ({ endpoint, put, roles }) => {
  /** @type {(import('./s3-front.d.mts').Rule & { seen: number, done: number })[]} */
  let rules = []
  /** Requests that wait for other rules. */
  const held = new Set()
  const counts = { requests: 0, byMethod: {} }
  const target = new URL(endpoint)

  const pick = (one) => {
    for (const rule of rules) {
      if (!chooses(rule, one)) continue
      rule.seen += 1
      if (rule.seen <= (rule.skip ?? 0) || rule.done >= (rule.times ?? 1)) continue
      rule.done += 1
      return rule
    }
    return undefined
  }
  /** Disturbs a request as the first rule says that chooses it, or sends it on. */
  const pass = async (environment, request, reply) => {
    const path = decodeURIComponent(new URL(request.url, 'http://any').pathname.slice(1))
    const rule = pick({ method: request.method, path, from: environment ? 'function' : 'client' })
    switch (rule?.kind) {
      case 'status':
        return refuse(request, reply, rule.status ?? 503, rule.code ?? 'SlowDown', 'Please reduce your request rate.')
      case 'reset':
        return request.socket.destroy()
      case 'silence':
        return request.resume()
      case 'hold': {
        const again = () => pass(environment, request, reply)
        held.add(again)
        return reply.on('close', () => held.delete(again))
      }
      case 'kill':
        return environment?.kill()
      case 'stall':
        return environment?.stall()
      case 'put': {
        const [bucket, ...key] = path.split('/')
        await put(bucket, key.join('/'), rule.body ?? '')
        return forward(target, request, reply)
      }
      default:
        return forward(target, request, reply, rule)
    }
  }
  /** Opens a way for one user of S3: an environment of the function, or everybody else. */
  const open = (environment) =>
    listen((request, reply) => {
      const { pathname, searchParams: query } = new URL(request.url, 'http://any')
      const path = decodeURIComponent(pathname.slice(1))
      const { method } = request
      const copySource = request.headers['x-amz-copy-source']
      const denied = environment && roles.deniedByS3(environment.fn.role, { method, path, query, copySource })
      if (denied) return refuse(request, reply, 403, 'AccessDenied', `${denied.join(' on ')} is not allowed`)
      counts.requests += 1
      counts.byMethod[method] = (counts.byMethod[method] ?? 0) + 1
      return pass(environment, request, reply)
    })
  return {
    open,
    counts,
    rules: () => rules,
    /** @param {readonly import('./s3-front.d.mts').Rule[]} next */
    setRules: (next) => {
      rules = next.map((rule) => ({ ...rule, seen: 0, done: 0 }))
      const waiting = [...held]
      held.clear()
      for (const again of waiting) void again()
    },
  }
}
