export default function CowdAssetsWatchPage() {
  return null
}
