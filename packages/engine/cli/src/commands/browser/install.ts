import {
  bytesText,
  countedBytes,
  countedProgress,
  defineCommand,
  type OptionTable,
  renderOptions,
  silentProgress,
} from '@vid/command'

const installOptions = {
  force: { kind: 'switch', about: 'download it even if one is embedded' },
  json: { kind: 'switch', about: 'one JSON object on stdout' },
  quiet: renderOptions.quiet,
} as const satisfies OptionTable

/** `vid browser install`. */
export const browserInstallCommand = defineCommand({
  path: 'browser install',
  summary: 'Download a browser for systems without an embedded one.',
  details:
    'Fetches the headless shell of Chrome for Testing for this machine, checks it, and keeps it in the cache folder, where renders find it. VID_BROWSER_MIRROR names a copy of Chrome for Testing to fetch it from.',
  options: installOptions,
  examples: [
    ['On a Mac, on Windows or on Linux for ARM', 'vid browser install'],
    ['From a mirror', 'VID_BROWSER_MIRROR=https://mirror.example.com/chrome-for-testing vid browser install'],
  ],
  async run(run) {
    const { findEmbeddedBrowser, installBrowser } = await import('@vid/browser')
    const { env, signal } = run
    const embedded = run.options.force ? undefined : await findEmbeddedBrowser({ env, signal })
    if (embedded) return { version: embedded.version, path: embedded.path, fresh: false, url: null }
    const progress = run.progress.isLive ? run.progress : silentProgress
    const count = countedProgress(progress, countedBytes('downloading'))
    const onProgress = (bytes: number, total: number | undefined) =>
      total === undefined ? progress.show(`downloading ${bytesText(bytes)}`) : count(bytes, total)
    const { version, path, fresh, url } = await installBrowser({ env, signal, onProgress }).finally(progress.clear)
    return { version, path, fresh, url }
  },
  text: ({ version, path, fresh, url }) => ({
    before:
      url === null
        ? `the headless shell ${version} is embedded; nothing is downloaded`
        : `the headless shell ${version} ${fresh ? `was downloaded from ${url}` : 'is there already'}`,
    lines: path,
  }),
})
