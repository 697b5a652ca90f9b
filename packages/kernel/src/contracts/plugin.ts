import type { TObject } from '@vid/protocol'
import type { KernelHooks } from './hooks.ts'
import type {
  CaptureDefinition,
  DeliveryDefinition,
  EncoderDefinition,
  StoreDefinition,
  TargetDefinition,
} from './roles.ts'

/** Free-form taps on any hook; called once, before the render starts. */
export interface PluginDefinition<O> {
  setup(hooks: KernelHooks, context: { readonly options: O }): void
}

export interface RoleDefinitions<O> {
  capture: CaptureDefinition<O>
  encoder: EncoderDefinition<O>
  store: StoreDefinition<O>
  target: TargetDefinition<O>
  delivery: DeliveryDefinition<O>
  plugin: PluginDefinition<O>
}
export type Role = keyof RoleDefinitions<unknown>

/** Data common to all plugins. */
export interface PluginIdentity<R extends Role = Role> {
  readonly role: R
  readonly apiVersion: number
  /** The package name, so that an error names what to fix. */
  readonly name: string
  readonly options: Record<string, unknown>
  readonly optionsSchema?: TObject
}
export type PluginOf<R extends Role> = R extends Role
  ? PluginIdentity<R> & RoleDefinitions<Record<string, unknown>>[R]
  : never
export type Plugin = PluginOf<Role>
