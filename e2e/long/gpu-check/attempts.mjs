// Starts a browser by a way to the GPU that did not work, and collects what it says about that.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchFlags } from '@vid/browser'
import { connect } from 'puppeteer-core'

/** Flags, and variables of this process, by which a driver may work that does not without them. */
const CHANGES = [
  { name: 'as it is' },
  { name: 'with all variables', allVariables: true },
  { name: 'without the sandbox of the GPU', flags: ['--disable-gpu-sandbox'] },
  { name: 'without surfaces', flags: ['--disable-gpu-sandbox', '--disable-vulkan-surface'] },
  {
    name: 'by Vulkan alone',
    flags: ['--disable-gpu-sandbox', '--disable-vulkan-surface', '--enable-features=Vulkan'],
  },
]

const LOGGING = ['--enable-logging=stderr', '--v=0', '--vmodule=*/gl/*=1,*gpu*=1,*vulkan*=1,*angle*=1']

const ATTEMPT_MS = 15_000

/** What of a log says something about GPUs: each message once, without time and process, and shortened. */
const interesting = (log) => {
  const lines = log.split('\n').filter((line) => /gpu|vulkan|egl|angle|gl_|driver|libGL|sandbox/i.test(line))
  const messages = lines.map((line) => line.replace(/^\[[\d:./]+:/, '[').slice(0, 400))
  return [...new Set(messages)].slice(0, 30)
}

const read = async (address) => {
  const browser = await connect({ browserWSEndpoint: address, defaultViewport: null })
  try {
    const session = await browser.target().createCDPSession()
    const { gpu } = await session.send('SystemInfo.getInfo')
    const { glVendor, glRenderer, glVersion, skiaBackendType, displayType } = gpu.auxAttributes
    const { gpu_compositing, rasterization, webgl, vulkan } = gpu.featureStatus
    const names = { glVendor, glRenderer, glVersion, skiaBackendType, displayType }
    return JSON.stringify({ ...names, gpu_compositing, rasterization, webgl, vulkan, devices: gpu.devices })
  } finally {
    await browser.disconnect()
  }
}

const attempt = async ({ executable, backend }, { flags = [], allVariables = false }, signal) => {
  const profile = mkdtempSync(join(tmpdir(), 'vid-gpu-check-'))
  const settings = {
    kind: executable.kind,
    headed: false,
    gpu: backend,
    frameControl: false,
    width: 640,
    height: 360,
  }
  const args = [
    ...launchFlags({ ...settings, proxy: 'http://nowhere.localhost:1' }),
    ...flags,
    ...LOGGING,
    `--user-data-dir=${profile}`,
    '--remote-debugging-port=0',
    'about:blank',
  ]
  const env = { ...(allVariables && process.env), ...executable.env }
  const child = spawn(executable.path, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'close').catch(() => undefined)
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)])
  let log = ''
  try {
    const address = await new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('exit', (code, killed) => reject(new Error(`it ended with ${code ?? killed}`)))
      limit.addEventListener('abort', () => reject(new Error('it took too long')), { once: true })
      child.stderr.on('data', (chunk) => {
        log += chunk
        const address = /DevTools listening on (ws:\S+)/.exec(log)?.[1]
        if (address) resolve(address)
      })
    })
    const late = once(limit, 'abort').then(() => 'it took too long to say what it draws with')
    const said = await Promise.race([read(address), late])
    return { said, log: interesting(log) }
  } catch (thrown) {
    return { said: thrown.message, log: interesting(log) }
  } finally {
    child.kill('SIGKILL')
    await ended
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Writes down what a browser says about a way to the GPU, as it is and with some changes. */
export const reportAttempts = async ({ fact, output }, { executable, backend }, signal) => {
  for (const change of CHANGES) {
    signal.throwIfAborted()
    const { said, log } = await attempt({ executable, backend }, change, signal)
    fact(`${backend} ${change.name}`, `${executable.kind} ${executable.version} says`)
    output([said, ...log].join('\n'))
  }
}
