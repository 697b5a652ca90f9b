// One long-lived process of the fuzz: renders each request through one renderer, and answers with its outcome.
import { createRenderer, lintFolder, openContext } from '@vid/render'

const [cwd] = process.argv.slice(2)
const context = { cwd, configFrom: 'cwd' }
const renderer = await createRenderer(context)

/** An error as the parent judges it; one without a code keeps its stack. */
const describe = (thrown) => {
  const { code, message, hint, fault, plugin, stack } = thrown ?? {}
  const isCoded = typeof code === 'string' && code.startsWith('VID_') && Boolean(message && hint && fault)
  return { code: isCoded ? code : null, fault, plugin, message: isCoded ? message : String(stack ?? thrown) }
}

const attempt = async (work) => {
  try {
    return { warnings: (await work()).warnings?.map(({ code }) => code) ?? [] }
  } catch (thrown) {
    return { error: describe(thrown) }
  }
}

const render = async ({ settings, limitMs }) => {
  const signal = AbortSignal.timeout(limitMs)
  const linted = await attempt(async () => ({
    findings: await lintFolder(
      { projectDir: settings.projectDir, entry: settings.entry },
      await openContext(context),
      signal,
    ),
  }))
  const rendered = await attempt(() => renderer.render(settings, { signal }))
  return { linted, rendered, timedOut: signal.aborted }
}

process.on('message', async (message) => {
  if (message === 'close') {
    await renderer.close()
    process.send('closed', () => process.disconnect())
    return
  }
  const startMs = performance.now()
  process.send({ ...(await render(message)), ms: performance.now() - startMs })
})
process.on('disconnect', () => process.exit())
process.send('ready')
