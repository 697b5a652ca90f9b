// Functions, their environments and their calls, with the limits of Lambda.
import { createHash, randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { serviceError } from '../service.mjs'
import { arnOf, configured, LATEST, nameOf, versionOf } from './configuration.mjs'
import { createInvocations, unitsOf } from './invocations.mjs'
import { unpackPackage } from './package.mjs'

const MAX_ZIP_BYTES = 52_428_800

/**
 * The functions of an account.
 * @param {object} options
 * @param {string} options.folder where packages and environments lie
 * @param {number} options.concurrency of the account
 * @param {number} options.initSeconds
 * @param {{ accessKeyId: string, secretAccessKey: string }} options.keys of the function's role
 * @param {(bucket: string, key: string) => Promise<Buffer>} options.readObject
 * @param {object} options.machine of `startEnvironment`
 * @param {(environment: object) => Promise<object>} options.openS3
 * @param {{ write: (group: string, stream: string, message: string) => void }} options.logs
 */
export const createFunctions = (options) => {
  const { folder, readObject } = options
  const functions = new Map()

  /** A function, or the version of it that is named. */
  const find = (text) => {
    const version = versionOf(text)
    const owner = functions.get(nameOf(text))
    const target = version === LATEST ? owner : owner?.versions.get(version)
    if (!target)
      throw serviceError(
        'ResourceNotFoundException',
        `Function not found: ${arnOf(nameOf(text) || text, version)}`,
        404,
      )
    return target
  }
  const retire = (fn) => {
    for (const environment of fn.environments) {
      if (environment.isBusy) environment.isRetired = true
      else {
        fn.environments.delete(environment)
        void environment.close()
      }
    }
  }
  const loadCode = async ({ ZipFile, S3Bucket, S3Key }) => {
    const bytes = ZipFile
      ? Buffer.from(ZipFile, 'base64')
      : await readObject(S3Bucket, S3Key).catch((error) => {
          throw serviceError(
            'InvalidParameterValueException',
            `Error occurred while GetObject. S3 Error Code: ${error.name}. S3 Error Message: ${error.message}`,
          )
        })
    if (ZipFile && bytes.length > MAX_ZIP_BYTES)
      throw serviceError(
        'RequestEntityTooLargeException',
        `Request must be smaller than ${MAX_ZIP_BYTES} bytes for the CreateFunction operation`,
        413,
      )
    const code = join(folder, 'packages', randomUUID())
    try {
      await unpackPackage(bytes, code)
    } catch (error) {
      rmSync(code, { recursive: true, force: true })
      throw error
    }
    return { code, CodeSize: bytes.length, CodeSha256: createHash('sha256').update(bytes).digest('base64') }
  }
  const removeCode = (fn) => rmSync(fn.code, { recursive: true, force: true })

  const describe = ({ configuration, CodeSize, CodeSha256, modified, version }) => ({
    ...configuration,
    FunctionArn: arnOf(configuration.FunctionName, version),
    CodeSize,
    CodeSha256,
    Version: version,
    LastModified: modified,
    PackageType: 'Zip',
    State: 'Active',
    LastUpdateStatus: 'Successful',
  })
  const now = () => new Date().toISOString().replace('Z', '+0000')

  const create = async (input) => {
    const { FunctionName } = input
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(FunctionName ?? ''))
      throw serviceError(
        'ValidationException',
        `Value '${FunctionName}' at 'functionName' failed to satisfy constraint`,
      )
    if (functions.has(FunctionName))
      throw serviceError('ResourceConflictException', `Function already exist: ${FunctionName}`, 409)
    const configuration = { FunctionName, ...configured(input) }
    const fn = {
      configuration,
      version: LATEST,
      versions: new Map(),
      published: 0,
      environments: new Set(),
      modified: now(),
      ...(await loadCode(input.Code)),
    }
    fn.owner = fn
    functions.set(FunctionName, fn)
    return describe(fn)
  }
  const updateCode = async (name, input) => {
    const fn = find(name)
    // The old code stays: environments that are busy still read it.
    Object.assign(fn, await loadCode(input), { modified: now() })
    retire(fn)
    return describe(fn)
  }
  const updateConfiguration = (name, input) => {
    const fn = find(name)
    fn.configuration = { FunctionName: fn.configuration.FunctionName, ...configured(input, fn.configuration) }
    fn.modified = now()
    retire(fn)
    return describe(fn)
  }
  const isLike = (one, other) =>
    one.CodeSha256 === other.CodeSha256 && JSON.stringify(one.configuration) === JSON.stringify(other.configuration)
  /** Publishes a version, unless the last one is like it already: that one is the answer then. */
  const publish = (name, { Description } = {}) => {
    const fn = find(nameOf(name))
    const last = fn.versions.get(String(fn.published))
    if (last && isLike(last.held, fn)) return { ...describe(last), isNew: false }
    fn.published += 1
    const version = String(fn.published)
    const { configuration, code, CodeSize, CodeSha256 } = fn
    const snapshot = { configuration: structuredClone(configuration), CodeSha256 }
    const described = { ...snapshot.configuration, ...(Description !== undefined && { Description }) }
    const created = { configuration: described, held: snapshot, code, CodeSize, CodeSha256, version, modified: now() }
    fn.versions.set(version, { ...created, owner: fn, environments: new Set() })
    return { ...describe(created), isNew: true }
  }
  const closeAll = (environments) => Promise.all([...environments].map((environment) => environment.close()))
  /** Removes a function with all its versions, or the one version that is named. */
  const remove = async (name) => {
    const fn = find(name)
    if (fn !== fn.owner) {
      fn.owner.versions.delete(fn.version)
      return void (await closeAll(fn.environments))
    }
    functions.delete(fn.configuration.FunctionName)
    for (const unit of unitsOf(fn)) {
      await closeAll(unit.environments)
      removeCode(unit)
    }
  }

  return {
    create,
    publish,
    versions: (name) => unitsOf(find(nameOf(name))).map(describe),
    updateCode,
    updateConfiguration,
    remove,
    get: (name) => {
      const fn = find(name)
      return {
        Configuration: describe(fn),
        Code: { RepositoryType: 'S3', Location: '' },
        Tags: {},
        ...(fn.reserved !== undefined && { Concurrency: { ReservedConcurrentExecutions: fn.reserved } }),
      }
    },
    reserve: (name, value) => {
      find(name).reserved = value
    },
    ...createInvocations(functions, find, options),
    environments: () => [...functions.values()].flatMap(unitsOf).flatMap((fn) => [...fn.environments]),
    /** Makes the versions of a function as old as a test needs them. */
    age: ({ name, ms }) => {
      for (const unit of unitsOf(find(name)))
        unit.modified = new Date(Date.parse(unit.modified) - ms).toISOString().replace('Z', '+0000')
    },
    /** Changes the configuration of a function with all its versions, which AWS itself keeps: a test starves those that run. */
    reconfigure: ({ name, ...input }) => {
      for (const unit of unitsOf(find(nameOf(name)))) {
        unit.configuration = { ...unit.configuration, ...configured(input, unit.configuration) }
        retire(unit)
      }
    },
    close: async () => {
      await Promise.all([...functions.keys()].map((name) => remove(name)))
    },
  }
}
