import { defineCommand } from '@vid/command'
import { installOptions } from './options.ts'

/** `vid browser install`. */
export const browserInstallCommand = defineCommand({
  path: 'browser install',
  summary: 'Download the browser that captures, for systems without an embedded one.',
  details:
    'Fetches the headless shell of Chrome for Testing for this machine, checks it, and keeps it in the cache folder, where renders find it. VID_BROWSER_MIRROR names a copy of Chrome for Testing to fetch it from.',
  options: installOptions,
  examples: [
    ['On a Mac, on Windows or on Linux for ARM', 'vid browser install'],
    ['From a mirror', 'VID_BROWSER_MIRROR=https://mirror.example.com/chrome-for-testing vid browser install'],
  ],
  run: async (run) => (await import('./run.ts')).runBrowserInstall(run),
  text: ({ version, path, fresh, url }) => ({
    before:
      url === null
        ? `the headless shell ${version} is embedded; nothing is downloaded`
        : `the headless shell ${version} ${fresh ? `was downloaded from ${url}` : 'is there already'}`,
    lines: path,
  }),
})
