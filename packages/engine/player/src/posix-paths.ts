// Paths with forward slashes, where there is no Node: what compiles a composition asks for them.
export * as posix from 'pathe'
