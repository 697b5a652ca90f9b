import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { path } from '../../../scripts/workspaces.mjs'
import { installPackages } from '../../installed-packages.mjs'
import { measureRun } from '../measured-run.mjs'

const VERSION = '4.0.529'
const REACT = '19.3.1'
const COMPOSITIONS = 'bench/peers/remotion'

/** Remotion, installed, with its compositions bundled once: `commandOf` gives the program that renders one of them. */
export const openRemotion = async ({ browser, work, signal }) => {
  const packages = { remotion: VERSION, '@remotion/cli': VERSION, '@remotion/renderer': VERSION }
  const folder = await installPackages('peers/remotion', { ...packages, react: REACT, 'react-dom': REACT }, signal)
  // Its bundler finds React from where the compositions are.
  const sources = join(folder, 'compositions')
  rmSync(sources, { recursive: true, force: true })
  cpSync(path(COMPOSITIONS), sources, { recursive: true })
  const home = join(work, 'remotion-home')
  mkdirSync(home)
  const command = join(folder, 'node_modules/@remotion/cli/remotion-cli.js')
  const bundle = join(work, 'remotion-bundle')
  const entry = join(sources, 'index.jsx')
  await measureRun(process.execPath, [command, 'bundle', entry, '--out-dir', bundle], { signal })
  const names = [...readFileSync(entry, 'utf8').matchAll(/<Composition\s+id="([\w-]+)"/g)].map(([, name]) => name)
  return {
    name: 'Remotion',
    version: `${VERSION} on Node ${process.versions.node}`,
    plays: (composition) => names.includes(basename(composition)),
    commandOf: (composition, output, { fps, preset, crf }) => ({
      program: process.execPath,
      args: [
        command,
        'render',
        bundle,
        basename(composition),
        output,
        `--browser-executable=${browser.path}`,
        `--fps=${fps}`,
        '--codec=h264',
        `--crf=${crf}`,
        `--x264-preset=${preset}`,
        '--log=error',
      ],
      env: { ...browser.env, HOME: home, TMPDIR: work },
    }),
  }
}
