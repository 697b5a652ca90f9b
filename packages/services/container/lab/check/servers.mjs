// The servers in the image, started as docs/container.md says: an ordinary user, a read-only root, no capabilities, a volume.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { podman } from './engine.mjs'
import { digestOf, eventually, must, page, vid, write } from './vid.mjs'

const TOKEN = 'a-token-of-this-check-0123456789abcdef'

/** Starts a server of the image on the network of this machine, which needs no rights; `stop` is that of an engine. */
const serve = async ({ env, work, image }, name, words) => {
  const profile = join(work, 'seccomp.json')
  writeFileSync(profile, (await vid(env, work, 'container', 'seccomp')).stdout)
  const flags = [
    '--rm',
    '--name',
    name,
    '--network',
    'host',
    '--read-only',
    '--read-only-tmpfs=false',
    '--cap-drop',
    'ALL',
    '--security-opt',
    'no-new-privileges',
    '--shm-size',
    '1g',
    '--memory',
    '4g',
    '--pids-limit',
    '2048',
    '--volume',
    `${name}:/home/vid`,
    '--volume',
    `${join(work, 'compositions')}:/compositions:ro`,
    '--env',
    'TMPDIR=/home/vid',
    '--env',
    'VID_PRODUCER_TOKEN',
    '--env',
    'VID_SANDBOX=require',
    '--security-opt',
    `seccomp=${profile}`,
  ]
  const child = spawn('podman', ['run', ...flags, image, ...words], {
    env: { ...env, VID_PRODUCER_TOKEN: TOKEN },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said += text
    })
  const ended = new Promise((resolve) => child.once('close', resolve))
  await eventually(`${name} listens`, () => {
    must(child.exitCode === null, said)
    return /listening on/.test(said)
  })
  return {
    said: () => said,
    async stop() {
      podman(env, 'stop', '--time', '40', name)
      must((await ended) === 0, `${name} ended with ${child.exitCode}: ${said.slice(-500)}`)
    },
  }
}

/** Does something while a server runs, and removes its volume afterwards. */
const whileServing = async (places, name, words, work) => {
  try {
    const server = await serve(places, name, words)
    const answer = await work(server)
    await server.stop()
    return answer
  } finally {
    podman(places.env, 'rm', '--force', '--time', '0', '--ignore', name)
    podman(places.env, 'volume', 'rm', '--force', name)
  }
}

const localDigest = async ({ env, work }, folder) => {
  const output = join(work, 'served-here.mp4')
  const { code, stderr } = await vid(
    env,
    folder,
    'render',
    '.',
    '-o',
    output,
    '--no-cache',
    '--raster',
    'portable',
    '--force',
    '-q',
    'draft',
  )
  must(code === 0, stderr)
  return digestOf(output)
}

export const servers = {
  async 'the render server works in the image, and renders the bytes of this machine'(places) {
    const folder = write(join(places.work, 'compositions/served'), { 'index.html': page('<h1>served</h1>') })
    const words = ['--root', '/compositions', '--output-root', 'out', '--state', 'state', '--port', '19847']
    return whileServing(places, 'vid-check-producer', ['producer', ...words], async () => {
      const ask = (authorization) =>
        fetch('http://127.0.0.1:19847/render', {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
          body: JSON.stringify({ projectDir: 'served', quality: 'draft' }),
        })
      must((await ask()).status === 401, 'a request without the token is not refused')
      const answer = await (await ask(`Bearer ${TOKEN}`)).json()
      must(answer.success && answer.digest === (await localDigest(places, folder)), JSON.stringify(answer))
      return `${answer.durationMs} ms for ${answer.frames} frames`
    })
  },
  async 'the hosted API works in the image, with everything in its volume'(places) {
    const folder = write(join(places.work, 'compositions/hosted'), { 'index.html': page('<h1>hosted</h1>') })
    const words = ['cloud', 'serve', '--state', 'cloud', '--port', '19848']
    return whileServing(places, 'vid-check-cloud', words, async ({ said }) => {
      const [key] = /vid_live_\w+/.exec(said()) ?? []
      must(key !== undefined, said())
      const env = {
        ...places.env,
        VID_API_KEY: key,
        HOST_API_URL: 'http://127.0.0.1:19848',
        HOME: places.work,
      }
      const { code, stderr } = await vid(env, folder, 'cloud', 'render', '.', '-o', '../../hosted.mp4')
      must(code === 0, stderr.slice(-500))
      return digestOf(join(places.work, 'hosted.mp4')).slice(0, 16)
    })
  },
}
