import type { TObject } from '@vid/protocol'
import type { CheckDefinition } from './checks.ts'
import type { KernelHooks } from './hooks.ts'
import type { CaptureDefinition, DeliveryDefinition, EncoderDefinition, StoreDefinition } from './roles.ts'
import type { SpeakerDefinition, TranscriberDefinition } from './speech.ts'
import type { TargetDefinition } from './targets.ts'

/** Free-form taps on any hook; called once, before the render starts. */
export interface PluginDefinition<O> {
  setup(hooks: KernelHooks, context: { readonly options: O }): void
}

/** The definition of a plugin, by role. */
export interface RoleDefinitions<O> {
  capture: CaptureDefinition<O>
  encoder: EncoderDefinition<O>
  store: StoreDefinition<O>
  target: TargetDefinition<O>
  delivery: DeliveryDefinition<O>
  plugin: PluginDefinition<O>
  check: CheckDefinition<O>
  transcriber: TranscriberDefinition<O>
  speaker: SpeakerDefinition<O>
}
/** The job that a plugin does. */
export type Role = keyof RoleDefinitions<unknown>

/** Data common to all plugins. */
export interface PluginIdentity<R extends Role = Role> {
  readonly role: R
  readonly apiVersion: number
  /** The package name, so that an error names what to fix. */
  readonly name: string
  readonly options: Readonly<Record<string, unknown>>
  readonly optionsSchema?: TObject
}
/** A plugin of one role, with its options. */
export type PluginOf<R extends Role> = R extends Role
  ? PluginIdentity<R> & RoleDefinitions<Record<string, unknown>>[R]
  : never
/** Any plugin. */
export type Plugin = PluginOf<Role>
