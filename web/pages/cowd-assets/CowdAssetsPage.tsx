export default function CowdAssetsPage() {
  return null
}
