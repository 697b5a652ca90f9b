import { captureFailure } from '../capture-errors.ts'
import type { BrowserKind } from './installed.ts'
import { type BrowserMachine, readMachine } from './machine.ts'

/**
 * Whether pages run in Chromium's sandbox: `auto` uses it if it can start and warns otherwise; `require`
 * refuses to capture without it; `off` never uses it.
 */
export type SandboxMode = 'auto' | 'require' | 'off'

const sandboxModes: readonly SandboxMode[] = ['auto', 'require', 'off']

const isMode = (text: string): text is SandboxMode => sandboxModes.some((mode) => mode === text)

/** The mode to use: VID_SANDBOX takes precedence over the option. */
export const sandboxMode = (option: SandboxMode = 'auto', env: NodeJS.ProcessEnv = process.env): SandboxMode => {
  const ordered = env.VID_SANDBOX
  if (!ordered) return option
  if (!isMode(ordered)) throw captureFailure('VID_SANDBOX_MODE', { value: ordered, known: sandboxModes })
  return ordered
}

/** How one browser is started. */
export interface Confinement {
  readonly sandbox: boolean
  /** Prefix of the browser's command line. */
  readonly prefix: readonly string[]
  /** The reason why there is no sandbox although it was not turned off. */
  readonly missing?: string
}

/** Chooses how to start a browser on this machine, or refuses to. */
export const confineBrowser = (
  mode: SandboxMode,
  kind: BrowserKind,
  machine: BrowserMachine = readMachine(),
): Confinement => {
  // Firefox configures its sandbox itself.
  if (kind === 'firefox') return { sandbox: true, prefix: [] }
  if (mode === 'off') return { sandbox: false, prefix: [] }
  if (machine.sandbox) return { sandbox: true, prefix: [] }
  if (machine.sandboxPrefix) return { sandbox: true, prefix: machine.sandboxPrefix }
  return withoutSandbox(mode, machine.sandboxMissing ?? 'it does not start')
}

/** How to start a browser without a working sandbox, which `require` refuses. */
export const withoutSandbox = (mode: SandboxMode, missing: string): Confinement => {
  if (mode === 'require') throw captureFailure('VID_SANDBOX_MISSING', { reason: missing })
  return { sandbox: false, prefix: [], missing }
}
