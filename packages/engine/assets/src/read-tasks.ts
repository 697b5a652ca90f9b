export { linkedAddressesTask, projectAddressesTask } from './remote/address-tasks.ts'
