import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { path } from '../../../scripts/workspaces.mjs'
import { installPackages } from '../../installed-packages.mjs'
import { writeVariant } from './hyperframes-variant.mjs'

const VERSION = '0.8.170'
/** It needs Node 22; the command itself may run on an older one. */
const NODE = '22.23.3'
const NODE_PACKAGE = `node-linux-${process.arch}`

/** HyperFrames, installed: `commandOf` gives the program that renders a composition. */
export const openHyperframes = async ({ browser, tools, work, signal }) => {
  const folder = await installPackages('peers/hyperframes', { hyperframes: VERSION, [NODE_PACKAGE]: NODE }, signal)
  const modules = join(folder, 'node_modules')
  const home = join(work, 'home')
  mkdirSync(home)
  const env = {
    ...browser.env,
    HOME: home,
    TMPDIR: work,
    DO_NOT_TRACK: '1',
    HYPERFRAMES_NO_TELEMETRY: '1',
    HYPERFRAMES_NO_UPDATE_CHECK: '1',
    HYPERFRAMES_NO_AUTO_INSTALL: '1',
    HYPERFRAMES_SKIP_SKILLS: '1',
    PRODUCER_HEADLESS_SHELL_PATH: browser.path,
    HYPERFRAMES_BROWSER_PATH: browser.path,
    HYPERFRAMES_FFMPEG_PATH: tools.ffmpeg,
    HYPERFRAMES_FFPROBE_PATH: tools.ffprobe,
  }
  return {
    name: 'HyperFrames',
    version: `${VERSION} on Node ${NODE}`,
    plays: () => true,
    commandOf: (composition, output, { fps, quality, crf }) => {
      const project = join(work, `hyperframes-${basename(composition)}`)
      writeVariant(path(composition), project)
      const settings = ['--output', output, '--fps', `${fps}`, '--quality', quality, '--crf', `${crf}`]
      const args = [join(modules, 'hyperframes/dist/cli.js'), 'render', project, '--frames-cache-dir', 'off']
      return { program: join(modules, NODE_PACKAGE, 'bin/node'), args: [...args, ...settings], env }
    },
  }
}
