// A Chromium that runs by its own virtual time and draws on command. No code of vid is in its pages.

import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, relative, sep } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { launch } from 'puppeteer-core'

const TYPES = {
  '.css': 'text/css',
  '.gif': 'image/gif',
  '.html': 'text/html',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.wav': 'audio/wav',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}

/** As few as give a picture of the same kind: drawn by the processor, frame by frame, without the network. */
const FLAGS = [
  '--enable-begin-frame-control',
  '--run-all-compositor-stages-before-draw',
  '--disable-new-content-rendering-timeout',
  '--disable-checker-imaging',
  '--disable-gpu',
  '--disable-gpu-compositing',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--force-color-profile=srgb',
  '--disable-lcd-text',
  '--font-render-hinting=none',
  '--hide-scrollbars',
  '--lang=en-US',
  '--autoplay-policy=no-user-gesture-required',
  '--mute-audio',
  '--disable-background-networking',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--no-sandbox',
]

/** Time that the page may take to load, in milliseconds of its own. */
const LOADING_MS = 5000

/** The next step while it loads: the number of steps depends on the machine, so the first seconds add up to almost no time. */
const stepMs = (passedMs) => (passedMs < 1 ? 0.001 : 1)

/** Real time between the steps, in milliseconds. */
const PAUSE_MS = 3

/** The file of an address, which a page may have written in any way; undefined where it is none. */
const fileOf = (folder, address) => {
  try {
    return join(folder, decodeURIComponent(new URL(address, 'http://localhost').pathname))
  } catch {
    return undefined
  }
}

/** Serves the files of a folder on the loopback interface; resolves to the address and a function that ends it. */
const serveFolder = async (folder) => {
  const server = createServer((request, response) => {
    const file = fileOf(folder, request.url)
    const isOutside = file === undefined || relative(folder, file).startsWith('..')
    const size = isOutside ? undefined : statSync(file, { throwIfNoEntry: false })
    if (!size?.isFile()) return response.writeHead(404).end()
    const type = TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream'
    const headers = { 'content-type': type, 'accept-ranges': 'bytes' }
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
    const [start, end] = range ? [Number(range[1]), range[2] ? Number(range[2]) : size.size - 1] : [0, size.size - 1]
    const part = range && { 'content-range': `bytes ${start}-${end}/${size.size}` }
    response.writeHead(range ? 206 : 200, { ...headers, ...part })
    if (size.size === 0) return response.end()
    createReadStream(file, { start, end }).pipe(response)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: (file) =>
      `http://127.0.0.1:${server.address().port}/${relative(folder, file).split(sep).map(encodeURIComponent).join('/')}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Opens the browser with windows of a size. */
export const openPlainBrowser = async ({ executable, env, size: { width, height } }) => {
  const browser = await launch({
    executablePath: executable,
    args: [...FLAGS, `--window-size=${width},${height}`],
    ignoreDefaultArgs: true,
    env,
    pipe: true,
    protocolTimeout: 0,
    defaultViewport: null,
    waitForInitialPage: false,
    networkEnabled: false,
    issuesEnabled: false,
  })
  const root = await browser.target().createCDPSession()

  const openPage = async () => {
    const target = { url: 'about:blank', width, height, enableBeginFrameControl: true }
    const { targetId } = await root.send('Target.createTarget', target)
    const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true })
    const session = root.connection().session(sessionId)
    return { session, close: () => root.send('Target.closeTarget', { targetId }).catch(() => {}) }
  }

  /** Lets the page's time go on. */
  const advance = async (session, budget) => {
    const expired = new Promise((resolve) => session.once('Emulation.virtualTimeBudgetExpired', resolve))
    await session.send('Emulation.setVirtualTimePolicy', { policy: 'pauseIfNetworkFetchesPending', budget })
    await expired
  }

  const load = async (session, address) => {
    await session.send('Page.enable')
    // A dialog would stop the page's time for ever.
    session.on('Page.javascriptDialogOpening', () => session.send('Page.handleJavaScriptDialog', { accept: true }))
    // It would report a mouse at the left top some time after it has opened, which hovers and leads there.
    await session.send('Input.setIgnoreInputEvents', { ignore: true })
    // A window that someone looks at has the focus.
    await session.send('Emulation.setFocusEmulationEnabled', { enabled: true })
    await session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false })
    const base = await session.send('Emulation.setVirtualTimePolicy', {
      policy: 'pause',
      initialVirtualTime: 1_735_689_600,
    })
    await session.send('Page.navigate', { url: address })
    // Asked of the page, since its event may come later than the time goes on.
    const isLoaded = async () => {
      const { result } = await session.send('Runtime.evaluate', { expression: 'document.readyState' })
      return result.value === 'complete'
    }
    let passedMs = 0
    for (; passedMs < LOADING_MS && !(await isLoaded()); passedMs += stepMs(passedMs)) {
      await advance(session, stepMs(passedMs))
      await setTimeout(PAUSE_MS)
    }
    return base.virtualTimeTicksBase + passedMs
  }

  return {
    /** PNG pictures of a page as the browser shows it at `hz` frames a second: those of some of these frames, ascending. */
    async pictures(file, folder, { ticks, hz }) {
      const served = await serveFolder(folder)
      const { session, close } = await openPage()
      try {
        const startMs = await load(session, served.address(file))
        const pictures = []
        for (let tick = 0; pictures.length < ticks.length; tick += 1) {
          const isShot = tick === ticks[pictures.length]
          const { screenshotData } = await session.send('HeadlessExperimental.beginFrame', {
            frameTimeTicks: startMs + (tick * 1000) / hz + 0.01,
            interval: 1000 / hz,
            ...(isShot && { screenshot: { format: 'png' } }),
          })
          // Nothing is drawn for a frame that looks as the one before.
          if (isShot) pictures.push(screenshotData ? Buffer.from(screenshotData, 'base64') : pictures.at(-1))
          await advance(session, 1000 / hz)
        }
        return pictures
      } finally {
        await close()
        served.close()
      }
    },
    close: () => browser.close(),
  }
}
