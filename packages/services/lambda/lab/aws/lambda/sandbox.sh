# Becomes an environment of Lambda within namespaces of its own: read-only code, a /tmp of a size, nothing else to write to, and
# an unprivileged user where the caller is root.
# sandbox.sh CODE RUNTIME NODE TMP_BYTES HIDDEN USER: the environment of this script is that of the function.
set -e
code=$1 runtime=$2 node=$3 bytes=$4 hidden=$5 user=$6
mount -t tmpfs -o mode=755,size=1m tmpfs /mnt
mkdir /mnt/task /mnt/runtime
touch /mnt/node
mount --bind "$code" /mnt/task
mount -o remount,bind,ro /mnt/task
mount --bind "$runtime" /mnt/runtime
mount --bind "$node" /mnt/node
mount -o remount,bind,ro /mnt
for folder in /dev/shm /var/tmp "$hidden"; do
  if [ -d "$folder" ]; then mount -t tmpfs -o ro,size=4k tmpfs "$folder"; fi
done
mount -t tmpfs -o "mode=1777,size=$bytes" tmpfs /tmp
cd /mnt/task
# The shell stays the first process: it collects those that lost their parent.
if [ -n "$user" ]; then
  setpriv "--reuid=$user" "--regid=$user" --clear-groups --no-new-privs /mnt/node /mnt/runtime/bootstrap.mjs &
else
  /mnt/node /mnt/runtime/bootstrap.mjs &
fi
wait $!
