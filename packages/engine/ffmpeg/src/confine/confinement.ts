import { describeCause } from '@vid/protocol'
import { withinServed } from '@vid/system'
import { fail } from '../errors.ts'
import { type ProcessOptions, runProcess } from '../tools/process.ts'
import { findLaunchers, type Launcher, launchOf, type Reach } from './launcher.ts'
import { systemCallFilter } from './system-calls.ts'

const MODES = ['auto', 'require', 'off'] as const

type Env = Readonly<Record<string, string | undefined>>

/** Whether decoders of sources run in a sandbox, as VID_SANDBOX says of pages too. */
export type ConfinementMode = (typeof MODES)[number]

/** The mode that VID_SANDBOX names; `auto` without it. */
export const confinementMode = (env: Env = process.env): ConfinementMode => {
  const value = env.VID_SANDBOX
  if (!value) return 'auto'
  const mode = MODES.find((name) => name === value)
  if (mode === undefined) throw fail('VID_MEDIA_SANDBOX_MODE', { value, modes: MODES })
  return mode
}

/** Served time in which a program must have started. */
const START_MS = 20_000

/** A launcher that starts a program on this machine, or the reason that none works. */
type Search = { readonly launcher: Launcher } | { readonly reason: string }

/** Programs are started in a sandbox once to see whether it works; a machine keeps that property. */
const searches = new Map<string, Promise<Search>>()

const search = async (program: string, env: Env): Promise<Search> => {
  if (process.platform !== 'linux') return { reason: `there is none for ${process.platform}` }
  const reasons: string[] = []
  for (const launcher of findLaunchers(systemCallFilter(), env)) {
    try {
      const launch = await launchOf(launcher, { program })
      await withinServed(START_MS, (signal) => runProcess(program, ['-version'], signal, { launch }))
      return { launcher }
    } catch (cause) {
      reasons.push(`${launcher.name}: ${describeCause(cause)}`)
    }
  }
  return { reason: reasons.join('; ') || 'neither bwrap nor unshare is installed' }
}

const keyOf = (program: string, env: Env) => `${program}\0${env.PATH}`

const searchOnce = (program: string, env: Env): Promise<Search> => {
  const key = keyOf(program, env)
  const launchers = searches.get(key) ?? search(program, env)
  searches.set(key, launchers)
  return launchers
}

/** Why `program` runs without a sandbox on a system that has them, though none is turned off; undefined when it runs in one. */
export const missingConfinement = async (program: string, env: Env = process.env): Promise<string | undefined> => {
  if (confinementMode(env) === 'off' || process.platform !== 'linux') return undefined
  const result = await searchOnce(program, env)
  return 'reason' in result ? result.reason : undefined
}

/** How to start a program that reads a stranger's file; VID_MEDIA_SANDBOX_MISSING where a sandbox is required and absent. */
export const confineProgram = async (reach: Reach, env: Env = process.env): Promise<Pick<ProcessOptions, 'launch'>> => {
  const mode = confinementMode(env)
  if (mode === 'off') return {}
  const result = await searchOnce(reach.program, env)
  if ('launcher' in result) return { launch: await launchOf(result.launcher, reach) }
  if (mode !== 'require') return {}
  // It may have been a moment's lack: the next render tries again.
  searches.delete(keyOf(reach.program, env))
  throw fail('VID_MEDIA_SANDBOX_MISSING', { reason: result.reason })
}
