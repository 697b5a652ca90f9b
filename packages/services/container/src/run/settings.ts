import { withDefault } from '@vid/kernel'
import { machineLocal, type Static, Type, Value } from '@vid/protocol'
import { limitOptions } from './limits.ts'

/** Options of a render in a container, by name. */
export const containerOptions = {
  /** Image to render with, best by digest; the one of this vid if left out, which is built where it is missing. */
  image: Type.Optional(machineLocal(Type.String({ minLength: 1 }))),
  /** Image that the one of this vid is built on; debian:bookworm-slim if left out. */
  baseImage: Type.Optional(machineLocal(Type.String({ minLength: 1 }))),
  /** Whether pages may reach the network: not at all, or through the engine's bridge. */
  network: withDefault(Type.Union([Type.Literal('none'), Type.Literal('bridge')]), 'none'),
  ...limitOptions,
  /** Whether finished segments are kept for the next render in a container, in `.vid/container` of the project. */
  cache: withDefault(Type.Boolean(), false),
  /** More absolute paths that the render reads, such as a package outside of the project's folder. */
  mounts: withDefault(machineLocal(Type.Array(Type.String({ pattern: '^/' }))), []),
  /** Names of variables that the config reads, which the container gets too. */
  env: withDefault(Type.Array(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' })), []),
  /** The filter of system calls: one that lets the browser use its sandbox, or the engine's own. */
  seccomp: withDefault(Type.Union([Type.Literal('browser'), Type.Literal('engine')]), 'browser'),
}

const ContainerSettingsSchema = Type.Object(containerOptions)

/** Options of a render in a container, with their defaults. */
export type ContainerSettings = Static<typeof ContainerSettingsSchema>

/** Fills in the defaults of options. */
export const containerSettings = (options: Partial<ContainerSettings>): ContainerSettings =>
  Value.Default(ContainerSettingsSchema, { ...options }) as ContainerSettings
