import { parseJson, Type } from '@vid/protocol'
import { isMatching } from '../matching.ts'

/** What an engine says of itself. */
export interface EngineFacts {
  readonly kind: 'docker' | 'podman'
  readonly version: string
  /** Whether it runs without root: ids of users inside are not those outside. */
  readonly isRootless: boolean
  /** Whether Docker gives containers other ids of users. */
  readonly remapsUsers: boolean
  /** Whether it can limit what a container takes. */
  readonly limits: boolean
  /** Memory of the machine that containers run on, in bytes. */
  readonly memoryBytes: number
  readonly cores: number
}

const DockerInfo = Type.Object({
  ServerVersion: Type.String({ minLength: 1 }),
  MemTotal: Type.Number({ exclusiveMinimum: 0 }),
  NCPU: Type.Number({ exclusiveMinimum: 0 }),
  MemoryLimit: Type.Optional(Type.Boolean()),
  SecurityOptions: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
})

const PodmanInfo = Type.Object({
  host: Type.Object({
    memTotal: Type.Number({ exclusiveMinimum: 0 }),
    cpus: Type.Number({ exclusiveMinimum: 0 }),
    cgroupVersion: Type.Optional(Type.String()),
    security: Type.Object({ rootless: Type.Boolean() }),
  }),
  version: Type.Object({ Version: Type.String() }),
})

/** Reads the answer to `info --format '{{json .}}'`; text is why it is not one. */
export const readEngineFacts = (text: string): EngineFacts | string => {
  const info = parseJson(text)
  if (isMatching(PodmanInfo, info)) {
    const { memTotal, cpus, cgroupVersion, security } = info.host
    return {
      kind: 'podman',
      version: info.version.Version,
      isRootless: security.rootless,
      remapsUsers: false,
      limits: !(security.rootless && cgroupVersion === 'v1'),
      memoryBytes: memTotal,
      cores: cpus,
    }
  }
  if (isMatching(DockerInfo, info)) {
    const options = info.SecurityOptions ?? []
    const has = (name: string) => options.some((option) => option.split(',').includes(`name=${name}`))
    return {
      kind: 'docker',
      version: info.ServerVersion,
      isRootless: has('rootless'),
      remapsUsers: has('userns'),
      limits: info.MemoryLimit !== false,
      memoryBytes: info.MemTotal,
      cores: info.NCPU,
    }
  }
  return 'its answer to "info" says nothing of an engine'
}
